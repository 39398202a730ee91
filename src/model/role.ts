/** The role of a person in an account, and what it allows. */

/**
 * Roles from the least to the most: support finds a person, reads, and asks for help or gives it; an analyst also keeps lists
 * and decides about waves; an owner does everything.
 */
export const ROLES = ['member', 'analyst', 'owner'] as const;
export type Role = (typeof ROLES)[number];

/** Whether a role includes everything that another one may. */
export function isAtLeast(role: Role, min: Role): boolean {
  return ROLES.indexOf(role) >= ROLES.indexOf(min);
}
