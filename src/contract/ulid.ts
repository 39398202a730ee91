/** Makes lower-case ULIDs: 48 bits of time, then 80 random ones that count upwards within a millisecond. */

const TEN_BITS = 0x3ff;
const TWENTY_BITS = 0xf_ffff;
const THIRTY_BITS = 0x3fff_ffff;
const BITS_32 = 0x1_0000_0000;
/** Two characters of Crockford's alphabet for each number of ten bits. */
const PAIRS = pairsOf('0123456789abcdefghjkmnpqrstvwxyz');

/**
 * Makes ids that sort in the order in which they were made, also within a millisecond and where the clock was set back.
 * `now`: whole milliseconds since the epoch. `random`: 32 random bits.
 */
export function createUlid(random: () => number): (now: number) => string {
  let newest = -1;
  let time = '';
  let [high, middle, low] = [0, 0, 0];
  /** Text of all but the last twenty bits. */
  let start = '';

  /** The random part is a number of 30, 30 and 20 bits; the highest is 0 at first, so that there is room to count. */
  function begin(now: number): void {
    newest = now;
    time = encodeTime(now);
    high = random() >>> 3;
    middle = random() & THIRTY_BITS;
    low = random() & TWENTY_BITS;
    encodeStart();
  }

  /** Writes the start in one piece, because all ids of a millisecond begin with it: else each text with an id would copy seven. */
  function encodeStart(): void {
    start = Buffer.from(time + thirtyBits(high) + thirtyBits(middle), 'latin1').toString('latin1');
  }

  function count(): void {
    low = (low + 1) & TWENTY_BITS;
    if (low > 0) return;
    middle = (middle + 1) & THIRTY_BITS;
    if (middle === 0) high += 1;
    encodeStart();
  }

  return (now) => {
    if (now > newest) begin(now);
    else count();
    return start + (pair(low >>> 10) + pair(low));
  };
}

function encodeTime(milliseconds: number): string {
  const low = milliseconds % BITS_32;
  const high = (milliseconds - low) / BITS_32;
  // 50 bits, of which the first two are 0.
  return (
    pair(high >>> 8) + pair((high << 2) | (low >>> 30)) + pair(low >>> 20) + pair(low >>> 10) + pair(low)
  );
}

function thirtyBits(bits: number): string {
  return pair(bits >>> 20) + pair(bits >>> 10) + pair(bits);
}

function pair(bits: number): string {
  return PAIRS[bits & TEN_BITS] as string;
}

function pairsOf(alphabet: string): readonly string[] {
  return Array.from(
    { length: TEN_BITS + 1 },
    (_, bits) => alphabet.charAt(bits >>> 5) + alphabet.charAt(bits & 31),
  );
}
