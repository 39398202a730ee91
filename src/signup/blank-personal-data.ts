/** Blanks the IP and the address in a stored assessment. Its evidence, its verdict and its counts stay. */
import { isNameText, readNameFacts, withoutTraits, writeNameFacts } from '../address/name-facts.ts';
import { CAMPAIGN_FACT, type CampaignScope, NETWORK_SCOPES } from '../model/campaign.ts';
import { NAME_FACT } from '../model/name-facts.ts';

/** The columns that are blanked, and the text that may repeat them. */
export interface PersonalColumns {
  readonly emailDomain: string;
  readonly emailMasked: string;
  readonly email: string | null;
  readonly ip: string | null;
  readonly network: string | null;
}

/** Name of a pair in the facts: the domain that was probably meant, and the part before the `@`. */
const MEANT = 'meant';

/** Replaces `j***@example.com`. */
const maskWhole = (domain: string) => `***@${domain}`;

/** Keyed hashes, domain, country, network operator and session stay. */
export function blankPersonalData<Row extends PersonalColumns & { readonly facts: string }>(row: Row): Row {
  const { ip, network, email, emailMasked, emailDomain } = row;
  const blanked = maskWhole(emailDomain);
  const secrets = [ip, network, email, emailMasked].filter((text) => text !== null && text !== blanked);
  const facts = blankJson(row.facts, secrets as string[]);
  return { ...row, emailMasked: blanked, email: null, ip: null, network: null, facts };
}

/** A text that is no JSON has no such part. */
function blankJson(text: string, secrets: readonly string[]): string {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return text;
  }
  return JSON.stringify(blankValue(value, secrets));
}

function blankValue(value: unknown, secrets: readonly string[]): unknown {
  if (typeof value === 'string') return secrets.reduce((text, secret) => text.replaceAll(secret, ''), value);
  if (Array.isArray(value))
    return value.map((each, at) => {
      if (Array.isArray(each)) return blankNamed(value[at - 1], each, secrets);
      return value[at - 1] === NAME_FACT && isNameText(each) ? blankName(each) : blankValue(each, secrets);
    });
  return value;
}

/** The mask of a name and the hash of its letters tell people apart. */
const blankName = (text: string): string => writeNameFacts(withoutTraits(readNameFacts(text)));

/** @param name of the pair that the list is the value of, if it is one */
function blankNamed(name: unknown, list: readonly unknown[], secrets: readonly string[]): unknown {
  if (name === MEANT) return [list[0], ''];
  const [id, scope, , ...rest] = list;
  if (name === CAMPAIGN_FACT && NETWORK_SCOPES.includes(scope as CampaignScope))
    return [id, scope, '', ...rest];
  return blankValue(list, secrets);
}
