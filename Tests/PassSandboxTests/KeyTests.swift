// Tests keys made from a seed.

import Testing

@testable import PassSandbox

@Suite struct KeyTests {
    @Test func `a seed always gives the same key, and another seed gives another key`() {
        let one = RSAKey(random: SeededRandom(number: 1))
        #expect(one == RSAKey(random: SeededRandom(number: 1)))
        #expect(one != RSAKey(random: SeededRandom(number: 2)))
    }
}
