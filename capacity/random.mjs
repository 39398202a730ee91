// Random numbers that are the same in every run: a named stream for each purpose.

/** A separate stream for each seed and name, so that draws in a part do not change another part. */
export function createRandom(seed, name) {
  let [a, b, c, counter] = [hash(`${seed}:${name}`), hash(`${name}/${seed}`), seed >>> 0, 1];
  /** sfc32 */
  function bits() {
    const sum = (a + b + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = ((c << 21) | (c >>> 11)) + sum;
    c |= 0;
    return sum >>> 0;
  }
  for (let round = 0; round < 15; round += 1) bits();
  const uniform = () => bits() / 4_294_967_296;
  const normal = () => Math.sqrt(-2 * Math.log(1 - uniform())) * Math.cos(2 * Math.PI * uniform());
  return {
    bits,
    uniform,
    /** A whole number from 0, below `end`. */
    below: (end) => Math.floor(uniform() * end),
    exponential: (mean) => -Math.log(1 - uniform()) * mean,
    /** A log-normal number, from its median and the standard deviation of its logarithm. */
    logNormal: (median, sigma) => median * Math.exp(sigma * normal()),
    poisson: (mean) => poisson(mean, uniform, normal),
  };
}

/** Draws indexes by weight in constant time (Walker’s alias table). */
export function createPicker(weights, random) {
  const count = weights.length;
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const share = Float64Array.from(weights, (weight) => (weight * count) / total);
  const alias = new Uint32Array(count);
  const small = [];
  const large = [];
  for (const [index, part] of share.entries()) (part < 1 ? small : large).push(index);
  while (small.length > 0 && large.length > 0) {
    const less = small.pop();
    const more = large.at(-1);
    alias[less] = more;
    share[more] -= 1 - share[less];
    if (share[more] < 1) small.push(large.pop());
  }
  for (const index of [...small, ...large]) share[index] = 1;
  return () => {
    const at = random.uniform() * count;
    const index = Math.floor(at);
    return at - index < share[index] ? index : alias[index];
  };
}

/** Knuth’s product for small means, the normal approximation for large ones. */
function poisson(mean, uniform, normal) {
  if (mean > 60) return Math.max(0, Math.round(mean + Math.sqrt(mean) * normal()));
  const limit = Math.exp(-mean);
  let count = 0;
  for (let product = uniform(); product > limit; product *= uniform()) count += 1;
  return count;
}

/** FNV-1a */
function hash(text) {
  let state = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1)
    state = Math.imul(state ^ text.charCodeAt(index), 0x01000193);
  return state >>> 0;
}
