<?php

declare(strict_types=1);

namespace Gatehouse\Breaker;

/** For PHP-FPM without APCu: a file that only your application may write. One that cannot be read or written means that no failure is known. */
final class FileState implements BreakerState
{
    public function __construct(private readonly string $path)
    {
    }

    public function load(): array
    {
        $text = @file_get_contents($this->path);
        $state = $text === false ? null : json_decode($text, true);
        if (!is_array($state)) {
            return ['failures' => 0, 'openUntilMs' => 0.0, 'trialUntilMs' => 0.0];
        }

        return [
            'failures' => (int) ($state['failures'] ?? 0),
            'openUntilMs' => (float) ($state['openUntilMs'] ?? 0),
            'trialUntilMs' => (float) ($state['trialUntilMs'] ?? 0),
        ];
    }

    public function save(array $state): void
    {
        @file_put_contents($this->path, json_encode($state), LOCK_EX);
    }
}
