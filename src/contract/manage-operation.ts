/** Describes an operation of the management API. */
import type { TSchema } from 'typebox';
import type { ManageScope } from '../model/manage-token.ts';
import type { ManageProblemCode } from './manage-problems.ts';

export interface ManageOperation {
  readonly id: string;
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** Path in OpenAPI's notation. */
  readonly path: string;
  /** Scope that a token needs. */
  readonly scope: ManageScope;
  readonly summary: string;
  readonly description: string;
  readonly request?: TSchema;
  readonly response: TSchema;
  readonly problems: readonly ManageProblemCode[];
  /** Whether it takes `after` and `limit`. */
  readonly paged: boolean;
  /** Parameters that its query may have in addition. */
  readonly filters: Readonly<Record<string, string>>;
}

/** Operation without what follows from the rest; `problems`: those of its own. */
export type ManageOperationRow = Omit<ManageOperation, 'paged' | 'filters' | 'problems'> &
  Partial<Pick<ManageOperation, 'filters' | 'problems'>>;
