// If a Mutex is free, the code that locks it is inlined in our code, so the thread sanitizer sees the lock. If a thread must
// wait, a library of the toolchain locks the Mutex. The sanitizer does not instrument this library, and would report a race
// with the last owner. These functions replace the functions of the library, and tell the sanitizer about the lock.
#include <dlfcn.h>
#include <stdint.h>

#define SWIFT __attribute__((swiftcall))
#define SELF __attribute__((swift_context))
// _MutexHandle._lockSlow(_: UInt32), _MutexHandle._unlockSlow()
#define LOCK "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define UNLOCK "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"

// Only in programs that are built with the sanitizer.
__attribute__((weak)) void __tsan_acquire(void *address);
__attribute__((weak)) void __tsan_release(void *address);

typedef SWIFT void Lock(uint32_t thread, SELF void *handle);
typedef SWIFT void Unlock(SELF void *handle);

Lock lock_slowly __asm__(LOCK);
Unlock unlock_slowly __asm__(UNLOCK);

SWIFT void lock_slowly(uint32_t thread, SELF void *handle) {
    ((Lock *)dlsym(RTLD_NEXT, LOCK))(thread, handle);
    if (__tsan_acquire) __tsan_acquire(handle);
}

SWIFT void unlock_slowly(SELF void *handle) {
    if (__tsan_release) __tsan_release(handle);
    ((Unlock *)dlsym(RTLD_NEXT, UNLOCK))(handle);
}
