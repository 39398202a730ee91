/** Schemas of the bodies about people: texts of limited length, and the ids of a user and an account. */

/** A name, an address, a password or an id. */
export const TEXT = { type: 'string', maxLength: 300 };

export interface MembershipBody {
  readonly user_id: string;
  readonly account_id: string;
}

export const MEMBERSHIP_BODY = {
  type: 'object',
  required: ['user_id', 'account_id'],
  properties: { user_id: TEXT, account_id: TEXT },
};

/** Of a link that was opened: nothing is done with it yet. */
export const LINK_BODY = { type: 'object', required: ['secret'], properties: { secret: TEXT } };
