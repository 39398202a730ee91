/** Shows its content once it is near the window: what is far below costs nothing until somebody scrolls there. */
import { type ReactNode, useEffect, useRef, useState } from 'react';

/** Distance at which it is shown before it is seen. */
const MARGIN = '200px';

export function WhenNear({ children }: { children: ReactNode }) {
  const place = useRef<HTMLDivElement>(null);
  const [isNear, setIsNear] = useState(false);
  useEffect(() => {
    if (place.current === null) return;
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.at(-1)?.isIntersecting) setIsNear(true);
      },
      { rootMargin: MARGIN },
    );
    observer.observe(place.current);
    return () => observer.disconnect();
  }, []);
  return isNear ? children : <div ref={place} />;
}
