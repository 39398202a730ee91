// Decides by a stable hash which half of the names the name model learns; the other half is for what tests and measures it.

/** FNV-1a with a finish, so that its lowest bits are even. */
export function hashOf(text) {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  return (hash ^ (hash >>> 13)) >>> 0;
}

/** The half that the model learns; the other half is for its test. */
export const isLearned = (name) => (hashOf(name) & 1) === 0;
