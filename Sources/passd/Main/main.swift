// The entry point of passd.

import PassDaemon

Program.main()
