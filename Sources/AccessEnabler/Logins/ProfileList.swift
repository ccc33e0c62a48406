// The service's answer about the logins of a requestor. `SingleSignOn` fetches it, and `Logins` applies it. Contract:
// rest-v2.md §8, §9.

struct ProfileList {
    var profiles: [Profile]
    /// If true, logins that the list does not name have ended.
    var isComplete: Bool
    /// The provider with which the requestor no longer works, if the service said so.
    var lapsed: ProviderID?
    /// The logins that had ended here when the answer came, and of whose end the service may not have known when it
    /// was asked.
    var ended: Set<ProfileKey> = []
}
