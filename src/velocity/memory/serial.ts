/** Numbers the attempts of a process in order, in 32 bits: a free record never has such a number. */

/** Serials count up from the lowest 32-bit number to -1 and start again. */
export function serialAfter(serial: number): number {
  return (serial + 1) | 0x8000_0000;
}

export function isNoEarlier(serial: number, other: number): boolean {
  return (serial - other) << 1 >= 0;
}
