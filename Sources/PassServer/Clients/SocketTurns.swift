// Lets the reactor, which reads the clients' sockets, also run the engine's tasks. The task of a call then runs right after the
// call was read, without waking another thread.

import AccessEnabler
public import PassWire

extension EngineTurns: TurnTasks {}
