/** A part whose code is loaded when it is first shown: what opens at a click, and what comes after the first look. */
import { type ComponentType, lazy, type ReactNode, Suspense } from 'react';

/** `load` imports the file. `meanwhile` is shown until it is there; default: nothing. */
export function later<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  meanwhile: ReactNode = null,
): (props: Props) => ReactNode {
  const Loaded = lazy(async () => ({ default: await load() }));
  return (props) => (
    <Suspense fallback={meanwhile}>
      <Loaded {...props} />
    </Suspense>
  );
}
