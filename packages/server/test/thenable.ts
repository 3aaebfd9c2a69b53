/** Objects that look like promises and are none. */

/** Its `then` is what is given. */
export const thenable = (then: unknown): PromiseLike<string> => made({ value: then })

/** Its `then` can not even be read. */
export const unreadable = (get: () => never): PromiseLike<string> => made({ get })

// oxlint-disable-next-line unicorn/no-thenable -- what handlers may return is what is tested
const made = (then: PropertyDescriptor) => Object.defineProperty({}, "then", then) as PromiseLike<string>
