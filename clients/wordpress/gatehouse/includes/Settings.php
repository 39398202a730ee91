<?php

declare(strict_types=1);

namespace Gatehouse\WordPress;

use Gatehouse\Captcha;
use Gatehouse\Exception\GatehouseException;
use Gatehouse\Gatehouse;

/** Reads the settings of the plugin: a constant of `wp-config.php`, such as `GATEHOUSE_KEY`, comes before the settings page. */
final class Settings
{
    public const OPTION = 'gatehouse';
    public const NAMES = ['url', 'key', 'trusted_proxies', 'mode', 'check', 'captcha', 'captcha_site_key'];
    private const DEFAULTS = ['mode' => 'enforce'];
    private const TIMEOUT_MS = 3000;

    private ?Gatehouse $client = null;

    public function get(string $name): string
    {
        if ($this->isConstant($name)) {
            $value = constant(self::constantOf($name));

            return is_array($value) ? implode(', ', $value) : (string) $value;
        }
        $option = get_option(self::OPTION);

        return is_string($option[$name] ?? null) && $option[$name] !== '' ? $option[$name] : self::DEFAULTS[$name] ?? '';
    }

    public function isConstant(string $name): bool
    {
        return defined(self::constantOf($name));
    }

    public static function constantOf(string $name): string
    {
        return 'GATEHOUSE_' . strtoupper($name);
    }

    public function isComplete(): bool
    {
        return $this->get('url') !== '' && $this->get('key') !== '';
    }

    /** @return ?array{string, string, string} class, site key and script of the CAPTCHA that is set */
    public function captcha(): ?array
    {
        return Captcha::widget([$this->get('captcha') => $this->get('captcha_site_key')]);
    }

    /** @return ?string `proof` or `mail`; null: a mail where Gatehouse gives tokens, otherwise a proof of work */
    public function check(): ?string
    {
        return in_array($this->get('check'), ['proof', 'mail'], true) ? $this->get('check') : null;
    }

    /** @throws GatehouseException where the settings are wrong */
    public function client(): Gatehouse
    {
        return $this->client ??= new Gatehouse(
            url: $this->get('url'),
            key: $this->get('key'),
            timeoutMs: defined('GATEHOUSE_TIMEOUT_MS') ? (float) constant('GATEHOUSE_TIMEOUT_MS') : self::TIMEOUT_MS,
            breakerState: new TransientState(),
            trustedProxies: self::readProxies($this->get('trusted_proxies')),
            mode: $this->get('mode'),
        );
    }

    /** @return string|int|list<string>|null a name of a proxy that overwrites a header, a number of proxies, or a list of addresses */
    public static function readProxies(string $text): string|int|array|null
    {
        $parts = preg_split('/[\s,]+/', trim($text), -1, PREG_SPLIT_NO_EMPTY) ?: [];
        if ($parts === []) {
            return null;
        }
        if (count($parts) === 1 && ctype_digit($parts[0])) {
            return (int) $parts[0];
        }
        // Ranges have a name, too.
        $isPreset = count($parts) === 1 && preg_match('/^[a-z-]+$/', $parts[0]) === 1 && !in_array($parts[0], ['loopback', 'private'], true);

        return $isPreset ? $parts[0] : $parts;
    }
}
