// The entry point of passd-cli.

import PassCLI

await Program.main()
