/** One named fact of a list of facts. */
import type { ReactNode } from 'react';

/** `wide`: for pages that give it more room. */
export function Fact({ name, wide, children }: { name: string; wide?: boolean; children: ReactNode }) {
  return (
    <div data-wide={wide}>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
