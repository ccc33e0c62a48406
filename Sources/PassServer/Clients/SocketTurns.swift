// Runs tasks of the engine in the turns of the clients' sockets, so that most calls are answered without waking another
// thread.

import AccessEnabler
public import PassWire

extension EngineTurns: TurnTasks {}
