<?php

declare(strict_types=1);

namespace Gatehouse\WordPress;

/** Keeps the challenge of a visitor, who has no session in WordPress: a random name in a cookie, the rest in a transient. */
final class ChallengeCookie
{
    private const NAME = 'gatehouse_challenge';
    private const SECONDS = 3600;

    /** @return ?array<string, mixed> */
    public function read(): ?array
    {
        $name = $this->name();
        $kept = $name === null ? false : get_transient($name);

        return is_array($kept) ? $kept : null;
    }

    /** @param ?array<string, mixed> $challenge null: forgets it */
    public function keep(?array $challenge): void
    {
        $name = $this->name();
        if ($challenge === null) {
            if ($name !== null) {
                delete_transient($name);
            }

            return;
        }
        if ($name === null) {
            $secret = bin2hex(random_bytes(16));
            $_COOKIE[self::NAME] = $secret;
            setcookie(self::NAME, $secret, [
                'expires' => time() + self::SECONDS,
                'path' => COOKIEPATH ?: '/',
                'domain' => COOKIE_DOMAIN ?: '',
                'secure' => is_ssl(),
                'httponly' => true,
                'samesite' => 'Lax',
            ]);
        }
        set_transient((string) $this->name(), $challenge, self::SECONDS);
    }

    private function name(): ?string
    {
        $secret = $_COOKIE[self::NAME] ?? null;
        // The database has no text that opens a challenge.
        return is_string($secret) && preg_match('/^[0-9a-f]{32}$/D', $secret) === 1 ? 'gatehouse_' . hash('sha256', $secret) : null;
    }
}
