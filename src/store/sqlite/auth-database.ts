/** The database as sign-in wants it: made when it is first asked for. */
import type { AuthDatabase } from '../dashboard-store.ts';
import type { AuthDialectOptions } from './auth-driver.ts';

export function createAuthDatabase(options: AuthDialectOptions) {
  return {
    async authDatabase(): Promise<AuthDatabase> {
      // Not at the top: a service that nobody looks at starts without it.
      const { createAuthDialect } = await import('./auth-driver.ts');
      return { dialect: createAuthDialect(options), type: 'sqlite' };
    },
  };
}
