// Generates the attempts of an account: numbers that represent network, domain, address and mailbox.
import { createPicker } from './random.mjs';

/** Domains with numbers below this are hot; then come the domains of attacks, then the tail. */
export const ATTACK_DOMAINS = 1_000;
const TAIL_DOMAINS = 10_000;
const CGNAT_NETWORKS = 1;
const ATTACK_NETWORKS = 1_000_000;
const OFFICE_NETWORKS = 10_000_000;
const HOME_NETWORKS = 20_000_000;
/** `tagged`: the address is a variant of its mailbox’s address; `retry`: the address was used before. */
const NOBODY = { network: 0, domain: 0, address: 0, mailbox: 0, tagged: false, retry: false };
/** A retry comes from one of the last few people. */
const REMEMBERED = 64;

/** `next()` fills and returns the same object each time: a day has too many attempts for one object each. */
export function createPeople({ people: mix, attacks }, random) {
  const hot = Object.values(mix.hotDomains);
  const hotShare = hot.reduce((sum, share) => sum + share, 0);
  const pickHot = createPicker(hot, random);
  const tailLogarithm = Math.log(mix.tailDomains);
  const cgnatLogarithm = Math.log(mix.cgnatNetworks);
  const recent = Array.from({ length: REMEMBERED }, () => ({ ...NOBODY }));
  const attempt = { ...NOBODY };
  let addresses = 0;
  let mailboxes = 0;
  /** The domain of the newest mailbox. */
  let newest = 0;

  function network() {
    const draw = random.uniform();
    if (draw < mix.cgnatShare)
      return CGNAT_NETWORKS + Math.floor(Math.exp(random.uniform() * cgnatLogarithm));
    if (draw < mix.cgnatShare + mix.officeShare) return OFFICE_NETWORKS + random.below(mix.officeNetworks);
    return HOME_NETWORKS + random.below(mix.homeNetworks);
  }

  function domain() {
    return random.uniform() < hotShare
      ? pickHot()
      : TAIL_DOMAINS + Math.floor(Math.exp(random.uniform() * tailLogarithm));
  }

  function person(fromNetwork, ofDomain, sharedMailboxShare) {
    const shares = mailboxes > 0 && random.uniform() < sharedMailboxShare;
    attempt.network = fromNetwork;
    attempt.domain = shares ? newest : ofDomain;
    addresses += 1;
    attempt.address = addresses;
    if (!shares) mailboxes += 1;
    attempt.mailbox = mailboxes;
    attempt.tagged = shares;
    attempt.retry = false;
    newest = attempt.domain;
    Object.assign(recent[addresses % REMEMBERED], attempt);
    return attempt;
  }

  return {
    ordinary() {
      if (addresses > 0 && random.uniform() < mix.retryShare) {
        const back = random.below(Math.min(addresses, REMEMBERED));
        Object.assign(attempt, recent[(addresses - back) % REMEMBERED]);
        attempt.retry = true;
        return attempt;
      }
      return person(network(), domain(), mix.sharedMailboxShare);
    },
    /** Invented addresses from few networks. */
    floods: () =>
      person(
        ATTACK_NETWORKS + random.below(attacks.floods.networks),
        ATTACK_DOMAINS + random.below(attacks.floods.domains),
        0.3,
      ),
    /** Almost every attempt from another network; half of them at the hot domains. */
    waves: () =>
      person(
        ATTACK_NETWORKS + 1_000 + random.below(attacks.waves.networks),
        random.uniform() < 0.5 ? pickHot() : ATTACK_DOMAINS + 100 + random.below(attacks.waves.domains),
        0.1,
      ),
  };
}
