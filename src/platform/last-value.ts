/** Makes a value again only when its key has changed. */

/**
 * The last value of `make`, for as long as its key stays the same. It serves the texts of clocks alone (the header `Date`,
 * timestamps, months), whose keys are seconds and minutes: writing each anew took 3% of the CPU of an assessment.
 */
export function lastValue<Value>(make: (key: number) => Value): (key: number) => Value {
  let last: { readonly key: number; readonly value: Value } | undefined;
  return (key) => {
    if (last?.key !== key) last = { key, value: make(key) };
    return last.value;
  };
}
