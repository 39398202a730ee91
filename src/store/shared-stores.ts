/** The parts of the store whose SQL both databases run unchanged. */
import { randomBytes } from 'node:crypto';
import { createAccountDeletions } from './account-deletions.ts';
import { createAccountStore } from './accounts.ts';
import { createAlertStore } from './alerts.ts';
import { createAppealStore } from './appeals.ts';
import { createAttackActionStore } from './attack-actions.ts';
import { createAuditStore } from './audit.ts';
import { createCampaignStore } from './campaigns.ts';
import { createChallengeStore, type FindChallenged } from './challenges.ts';
import { createDestinationStore } from './destinations.ts';
import { createEventStore } from './events.ts';
import { createFeedFlipStore } from './feed-flips.ts';
import { createHashKeyStore } from './hash-keys.ts';
import { createHookStore } from './hooks.ts';
import { createHostDecisionStore } from './host-decisions.ts';
import { createIdentityStore } from './identities.ts';
import { createListHistoryStore } from './list-history.ts';
import { createMailboxStore } from './mailboxes.ts';
import { createMistakeStore } from './mistakes.ts';
import { createOutcomeStore } from './outcomes.ts';
import { createPeopleStore } from './people.ts';
import { createPolicyStore } from './policies.ts';
import { createProviderConnectionStore } from './provider-connections.ts';
import { createRecallStore } from './recall.ts';
import { createRuleChangeStore } from './rule-changes.ts';
import { createSavedFilterStore } from './saved-filters.ts';
import type { SqlDatabase } from './sql-database.ts';
import { createTakeBackStore } from './take-backs.ts';
import { createTokenStore } from './tokens.ts';
import { createUsualDomainStore } from './usual-domains.ts';

export function createSharedStores(database: SqlDatabase, findChallenged: FindChallenged) {
  return {
    ...createAccountStore(database),
    ...createAccountDeletions(database),
    ...createHashKeyStore(database),
    ...createHookStore(database),
    ...createTokenStore(database),
    ...createHostDecisionStore(database),
    ...createIdentityStore(database),
    ...createPeopleStore(database),
    ...createSavedFilterStore(database),
    ...createAuditStore(database),
    ...createListHistoryStore(database),
    ...createCampaignStore(database),
    ...createAttackActionStore(database),
    ...createProviderConnectionStore(database),
    ...createTakeBackStore(database),
    ...createAlertStore(database),
    ...createRecallStore(database),
    ...createFeedFlipStore(database),
    ...createMailboxStore(database),
    ...createMistakeStore(database),
    ...createAppealStore(database),
    ...createUsualDomainStore(database),
    ...createPolicyStore(database),
    ...createRuleChangeStore(database),
    ...createDestinationStore(database),
    ...createEventStore(database, makeEventId),
    ...createChallengeStore(database, findChallenged),
    ...createOutcomeStore(database, findChallenged),
  };
}

function makeEventId(): string {
  return `evt_${randomBytes(13).toString('hex')}`;
}
