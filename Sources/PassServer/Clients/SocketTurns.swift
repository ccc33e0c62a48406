// Tasks of the engine run in the turns of the clients' sockets, so that most calls are answered without waking another
// thread.

import AccessEnabler
public import PassWire

extension EngineTurns: TurnTasks {}
