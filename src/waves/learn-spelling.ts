/** Decides whether somebody signs up again and again with other spellings of one mailbox. */
import { joinKeys, keyOfText, numberOf } from './group-key.ts';
import { ANY, type Counted, type Learning } from './learning.ts';
import { mailboxScope } from './scopes.ts';

/** Spellings of one mailbox, from as many networks or from one. */
const MIN_SPELLINGS = 6;
/** Share of people with a tag or dots who come again with other ones. */
const USUAL_SPELLINGS = 0.05;

/** Spellings of one mailbox: from many networks, or many from one. */
export function learnSpelling(learning: Learning, counted: Counted): void {
  const { member, account, at } = counted;
  if (member.isCanonical) return;
  const scope = mailboxScope(member.mailbox);
  for (const [key, distinct] of [
    [joinKeys(scope.key, ANY), member.range ?? ''],
    [joinKeys(scope.key, keyOfText(member.range ?? '')), member.addressHash],
  ] as const) {
    const place = learning.count(key, counted, distinct === '' ? 'nowhere' : distinct);
    const spellings = Math.round(learning.groups.distinct(place));
    const open = learning.campaigns.get(numberOf(joinKeys(account, key)));
    if (open !== undefined && !open.isOver(at)) learning.join(open, counted);
    else if (spellings >= MIN_SPELLINGS)
      learning.openAt(key, counted, {
        scope,
        mark: null,
        shared: { kind: 'mailbox', text: '' },
        families: ['mailbox'],
        ...learning.factsOf(place, at),
        members: spellings,
        usual: USUAL_SPELLINGS,
        decadesAt: () => learning.groups.distinctOf(joinKeys(account, key)) * -Math.log10(USUAL_SPELLINGS),
        isUsualAt: () => false,
      });
  }
}
