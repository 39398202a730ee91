/** The port for what people did about an attack, a wave or an alert, so that it can be taken back for a month. */

export interface AttackAction {
  readonly id: string;
  readonly accountId: string;
  /** Id of the campaign or alert. */
  readonly attack: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** Encrypted text with which it can be taken back. */
  readonly undo: string;
}

export interface AttackActionStore {
  /** @throws when there is no such account */
  saveAttackAction(action: AttackAction): Promise<void>;
  /** Actions that can be taken back, the newest first. */
  attackActions(accountId: string, attack: string): Promise<readonly AttackAction[]>;
  /** Forgets an action: it was taken back. */
  removeAttackAction(accountId: string, id: string): Promise<void>;
  /** Removes older ones. @returns how many */
  pruneAttackActions(before: number, maxPruned: number): Promise<number>;
}
