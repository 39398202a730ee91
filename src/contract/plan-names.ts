/** The plans by name, apart from the messages: commands start without the library that describes those. */
export const PLAN_NAMES = ['free', 'starter', 'pro', 'business'] as const;
