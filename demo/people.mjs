// A person who signs up: an address, a place, and whether they are honest.

export function createPeople({ names, companies, addresses, random }) {
  /** At a provider, most plain names are taken. */
  const written = () => {
    const [first, last] = [random.pick(names.first), random.pick(names.last)];
    const form = random.weighted([
      [`${first}.${last}`, 12],
      [`${first}${last}`, 8],
      [`${first[0]}${last}${random.between(1, 999)}`, 15],
      [`${first}.${last}${random.between(1, 99)}`, 30],
      [`${first}${last}${random.between(1, 999)}`, 25],
      [`${first}${random.between(1960, 2009)}`, 12],
      [`${last}.${first}`, 10],
    ]);
    return random.chance(0.02) ? `${form}+${random.pick(names.tags)}` : form;
  };
  /** At a company, nobody has a number. */
  const atWork = () => {
    const [first, last] = [random.pick(names.first), random.pick(names.last)];
    return random.weighted([
      [`${first}.${last}`, 60],
      [`${first}${last}`, 8],
      [`${first[0]}${last}`, 20],
      [first, 12],
    ]);
  };
  /** A few companies send many, most send one or two. */
  const company = () => companies[Math.floor(random.next() ** 2.2 * companies.length)];
  const session = () => (random.chance(0.9) ? `s_${random.letters(16)}` : null);

  const kinds = [
    [consumer, 640],
    [business, 255],
    [relayed, 32],
    [throwaway, 34],
    [mistyped, 9],
    [stranger, 30],
    [anonymous, 12],
  ];

  function consumer() {
    return { email: `${written()}@${random.weighted(names.consumer)}`, ip: ordinaryPlace(), honest: true };
  }
  function business() {
    const local = random.chance(0.07) ? random.pick(names.role) : atWork();
    return { email: `${local}@${company()}`, ip: workPlace(), honest: true };
  }
  function relayed() {
    const ip = random.chance(0.6) ? addresses.relay() : ordinaryPlace();
    return { email: `${random.letters(10)}@${random.pick(names.relay)}`, ip, honest: random.chance(0.96) };
  }
  function throwaway() {
    const ip = random.weighted([
      [addresses.home(), 40],
      [addresses.vpn(), 30],
      [addresses.hosting(), 25],
      [addresses.tor(), 5],
    ]);
    return {
      email: `${random.letters(random.between(6, 11))}@${random.pick(names.disposable)}`,
      ip,
      honest: random.chance(0.06),
    };
  }
  function mistyped() {
    return { email: `${written()}@${random.pick(names.mistyped)}`, ip: ordinaryPlace(), honest: true };
  }
  /** Abuse that looks ordinary except for its network. */
  function stranger() {
    const ip = random.weighted([
      [addresses.hosting(), 30],
      [addresses.proxy(), 25],
      [addresses.abusive(), 30],
      [addresses.home(), 45],
    ]);
    return { email: `${written()}@${random.weighted(names.consumer)}`, ip, honest: random.chance(0.15) };
  }
  /** Honest people behind Tor or a VPN. */
  function anonymous() {
    const ip = random.chance(0.25) ? addresses.tor() : addresses.vpn();
    return {
      email: `${written()}@${random.pick(['proton.me', 'gmail.com'])}`,
      ip,
      honest: random.chance(0.7),
    };
  }

  function ordinaryPlace() {
    return random.weighted([
      [addresses.home(), 830],
      [addresses.home6(), 90],
      [addresses.vpn(), 24],
      [addresses.relay(), 26],
      [addresses.hosting(), 8],
      [null, 22],
    ]);
  }
  function workPlace() {
    return random.weighted([
      [addresses.home(), 900],
      [addresses.vpn(), 45],
      [addresses.hosting(), 35],
      [null, 20],
    ]);
  }

  return {
    someone: () => ({ ...random.weighted(kinds)(), session: session() }),
    reader: consumer,
    colleague: (domain) => ({ email: `${atWork()}@${domain}`, honest: true, session: session() }),
    /** The same person again: the same place, perhaps another address. */
    again: ({ email, ip, honest }) => ({
      email: random.chance(0.4) ? email : `${written()}@${email.split('@')[1]}`,
      ip,
      honest,
    }),
  };
}
