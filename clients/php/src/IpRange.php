<?php

declare(strict_types=1);

namespace Gatehouse;

/** A block of addresses. */
final class IpRange
{
    /** Bits before the IPv4 address in an IPv4-mapped one. */
    private const MAPPED_BITS = 96;

    private function __construct(private readonly string $bytes, private readonly int $prefixBits)
    {
    }

    /** Reads `10.0.0.0/8`, `2001:db8::/32`, `::ffff:10.0.0.0/104` or one address. */
    public static function parse(string $text): ?self
    {
        $parts = explode('/', trim($text));
        $address = IpAddress::parse($parts[0]);
        if ($address === null || count($parts) > 2) {
            return null;
        }
        $maxBits = strlen($address->bytes) * 8;
        if (count($parts) === 1) {
            return new self($address->bytes, $maxBits);
        }
        if (preg_match('/^[0-9]{1,3}$/D', $parts[1]) !== 1) {
            return null;
        }
        $isMapped = $maxBits === 32 && str_contains($parts[0], ':');
        $bits = (int) $parts[1] - ($isMapped ? self::MAPPED_BITS : 0);

        return $bits < 0 || $bits > $maxBits ? null : new self($address->bytes, $bits);
    }

    public function contains(IpAddress $address): bool
    {
        if (strlen($address->bytes) !== strlen($this->bytes)) {
            return false;
        }
        $whole = intdiv($this->prefixBits, 8);
        if (substr($address->bytes, 0, $whole) !== substr($this->bytes, 0, $whole)) {
            return false;
        }
        $rest = $this->prefixBits % 8;
        $mask = 0xff << (8 - $rest) & 0xff;

        return $rest === 0 || (ord($address->bytes[$whole]) & $mask) === (ord($this->bytes[$whole]) & $mask);
    }
}
