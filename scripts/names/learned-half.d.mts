export function hashOf(text: string): number;
export function isLearned(name: string): boolean;
