// Writes each generated file that differs from the tables, and prints its path. `make generate` runs this.

import PassDocuments

for file in GeneratedFile.all where try !file.isCurrent() {
    try file.write()
    print(file.path)
}
