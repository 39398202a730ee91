<?php

declare(strict_types=1);

namespace Gatehouse;

/** An IP address in one canonical form, the same as in every other client. */
final class IpAddress
{
    private const OCTET = '(?:25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])';
    /** `[2001:db8::1]:443` and `203.0.113.7:51234`, as some proxies write; RFC 7239 also allows `203.0.113.7:_hidden`. */
    private const WITH_PORT = '/^(?:\\[([^\\]]*)\\]|([0-9]+\\.[0-9]+\\.[0-9]+\\.[0-9]+))(?::(?:[0-9]{1,5}|_[A-Za-z0-9_.-]+))?$/D';
    private const MAPPED_PREFIX = "\0\0\0\0\0\0\0\0\0\0\xff\xff";
    /** RFC 6052, and RFC 8215 with a /96 for each site. */
    private const NAT64_PREFIXES = ["\0\x64\xff\x9b\0\0\0\0\0\0\0\0", "\0\x64\xff\x9b\0\x01"];

    /** @param string $bytes 4 or 16 */
    private function __construct(public readonly string $bytes)
    {
    }

    /** Reads an address, with or without a port. IPv4 inside IPv6 (`::ffff:…`) is that IPv4 address. */
    public static function parse(?string $text): ?self
    {
        $address = trim($text ?? '');
        if (preg_match(self::WITH_PORT, $address, $found) === 1) {
            $address = $found[2] ?? $found[1];
        }
        if (preg_match('/^' . self::OCTET . '(?:\\.' . self::OCTET . '){3}$/D', $address) === 1) {
            return new self((string) inet_pton($address));
        }
        if (preg_match('/^([0-9A-Fa-f:.]+)(?:%[A-Za-z0-9_.-]+)?$/D', $address, $found) !== 1 || !str_contains($address, ':')) {
            return null;
        }
        $bytes = @inet_pton($found[1]);
        if ($bytes === false || strlen($bytes) !== 16) {
            return null;
        }

        return new self(str_starts_with($bytes, self::MAPPED_PREFIX) ? substr($bytes, 12) : $bytes);
    }

    /** An IPv4 address that NAT64 wrote into an IPv6 one is that IPv4 address. */
    public function withoutNat64(): self
    {
        foreach (self::NAT64_PREFIXES as $prefix) {
            if (strlen($this->bytes) === 16 && str_starts_with($this->bytes, $prefix)) {
                return new self(substr($this->bytes, 12));
            }
        }

        return $this;
    }

    public function isIpv6(): bool
    {
        return strlen($this->bytes) === 16;
    }

    /** Class E is nobody's: Cloudflare writes such an address for a visitor with IPv6, as "Pseudo IPv4". */
    public function isPseudoIpv4(): bool
    {
        return strlen($this->bytes) === 4 && ord($this->bytes[0]) >= 240;
    }

    /** As RFC 5952 writes it, but never with dots: `inet_ntop` would write `::1.2.3.4`. */
    public function __toString(): string
    {
        if (!$this->isIpv6()) {
            return (string) inet_ntop($this->bytes);
        }
        $groups = array_map(dechex(...), array_values((array) unpack('n8', $this->bytes)));
        $text = implode(':', $groups);
        preg_match_all('/\\b0(?::0)+\\b/', $text, $runs, PREG_OFFSET_CAPTURE);
        $longest = ['', 0];
        foreach ($runs[0] as $run) {
            $longest = strlen($run[0]) > strlen($longest[0]) ? $run : $longest;
        }
        if ($longest[0] === '') {
            return $text;
        }
        $before = rtrim(substr($text, 0, $longest[1]), ':');
        $after = ltrim(substr($text, $longest[1] + strlen($longest[0])), ':');

        return "$before::$after";
    }
}
