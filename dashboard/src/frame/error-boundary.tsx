/** Shows an error in place of a failed page and keeps the frame. */
import { Component, type ReactNode } from 'react';
import { ErrorState } from '../ui/error-state.tsx';
import { isLoadFailure } from './load-failures.ts';

export class ErrorBoundary extends Component<
  { children: ReactNode; place?: string },
  { error: Error | null }
> {
  override state: { error: Error | null } = { error: null };

  static getDerivedStateFromError(error: unknown): { error: Error } {
    return { error: error instanceof Error ? error : new Error(String(error)) };
  }

  /** Another path renders again; parts that did not fail stay, such as the list beside open details. */
  override componentDidUpdate({ place }: { place?: string }): void {
    if (place !== this.props.place && this.state.error !== null) this.setState({ error: null });
  }

  override render(): ReactNode {
    if (this.state.error === null) return this.props.children;
    const error = isLoadFailure(this.state.error) ? incomplete() : broken(this.state.error);
    return <ErrorState error={error} onRetry={() => window.location.reload()} />;
  }
}

function incomplete(): Error {
  return Object.assign(new Error('You are offline, or Gatehouse was updated.'), {
    resolution: navigator.onLine
      ? 'Load the page again.'
      : 'This page loads again by itself when you are back.',
  });
}

function broken({ message }: Error): Error {
  return Object.assign(new Error('This page could not be shown.'), {
    resolution: `Load the page again. If it still fails, report this: ${message}`,
  });
}
