/** Changes of the rules of several accounts in one transaction, in both databases. */
import { changeStatement } from './accounts.ts';
import { removeEntryStatements, saveEntryStatement } from './lists.ts';
import { newestNumber, policyLock, savePolicyStatement, versionName } from './policies.ts';
import type { RuleChange, RuleChangeStore } from './rule-change-store.ts';
import type { SqlChange, SqlDatabase } from './sql-database.ts';

export function createRuleChangeStore(database: SqlDatabase): RuleChangeStore {
  const [directory, lists] = [database.newVersion('directory'), database.newVersion('lists')];

  async function toStatements(change: RuleChange): Promise<SqlChange> {
    switch (change.of) {
      case 'account':
      case 'key': {
        const table = change.of === 'account' ? 'accounts' : 'keys';
        const { id, thresholds } = change;
        const statements = [changeStatement(directory, table, id, { thresholds }, [change.audit])];
        return { audit: [change.audit], statements };
      }
      case 'weights': {
        const { policy } = change;
        // Another one that is saved meanwhile changes the version of the directory.
        const number = (await newestNumber(database, policy.accountId)) + 1;
        const statements = [savePolicyStatement(directory, policy, number)];
        return { audit: [change.audit(versionName(number))], statements };
      }
      case 'saved entry':
        return { audit: [change.audit], statements: [saveEntryStatement(lists, change.entry)] };
      case 'removed entry':
        return { audit: [change.audit], statements: removeEntryStatements(lists, change.id, [change.audit]) };
    }
  }

  return {
    async changeRules(versions, changes) {
      const locks = changes.flatMap((change) =>
        change.of === 'weights' ? [policyLock(change.policy.accountId)] : [],
      );
      const made: SqlChange[] = [
        { audit: [], statements: database.nextVersion('directory') },
        { audit: [], statements: database.nextVersion('lists') },
      ];
      for (const change of changes) made.push(await toStatements(change));
      await database.atRules(versions, locks).changeAll(made);
    },
  };
}
