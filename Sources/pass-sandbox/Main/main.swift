// The entry point of pass-sandbox.

import PassSandboxCLI

Program.main()
