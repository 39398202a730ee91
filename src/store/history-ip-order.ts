/** Compares addresses within a family, from their canonical text. */

/** Text of fixed width that sorts as the address does: 8 digits for IPv4, 32 for IPv6. */
export function ipOrder(ip: string): string {
  if (!ip.includes(':'))
    return ip
      .split('.')
      .map((octet) => hex(Number(octet), 2))
      .join('');
  const [head = '', tail] = ip.split('::');
  const before = head === '' ? [] : head.split(':');
  const after = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = Array(8 - before.length - after.length).fill('0') as string[];
  return [...before, ...zeros, ...after].map((group) => hex(Number.parseInt(group, 16), 4)).join('');
}

/** Whether an address lies between two others of its family; never where it is of another. */
export function isWithin(
  ip: string,
  { first, last }: { readonly first: string; readonly last: string },
): boolean {
  const order = ipOrder(ip);
  const lowest = ipOrder(first);
  return order.length === lowest.length && order >= lowest && order <= ipOrder(last);
}

function hex(value: number, digits: number): string {
  return value.toString(16).padStart(digits, '0');
}
