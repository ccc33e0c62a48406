// Connects the engine's tasks to the part that reads the clients' sockets. This part runs the tasks as soon as it has read a
// call. So passd answers most calls without waking another thread.

import AccessEnabler
public import PassWire

extension EngineTurns: TurnTasks {}
