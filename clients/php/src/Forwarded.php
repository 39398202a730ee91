<?php

declare(strict_types=1);

namespace Gatehouse;

/** Splits the headers that proxies append addresses to into one text for each proxy, the nearest one last; empty elements are none. */
final class Forwarded
{
    /**
     * The entries of `X-Forwarded-For`; a quoted one without its quotes.
     *
     * @return list<string>
     */
    public static function splitForwardedFor(string $value): array
    {
        return array_map(self::unquote(...), self::elements(explode(',', $value)));
    }

    /**
     * The `for` of each element of `Forwarded` (RFC 7239); empty where an element has none, or has two.
     *
     * @return list<string>
     */
    public static function splitForwarded(string $value): array
    {
        return array_map(self::nodeOf(...), self::elements(self::splitUnquoted($value, ',')));
    }

    /** The text in quotes, without them. */
    public static function unquote(string $text): string
    {
        $trimmed = trim($text);
        if (strlen($trimmed) < 2 || $trimmed[0] !== '"' || $trimmed[-1] !== '"') {
            return $trimmed;
        }

        return trim((string) preg_replace('/\\\\(.)/s', '$1', substr($trimmed, 1, -1)));
    }

    private static function nodeOf(string $element): string
    {
        $nodes = [];
        foreach (self::splitUnquoted($element, ';') as $pair) {
            if (preg_match('/^\\s*([^\\s=]+)\\s*=(.*)$/sD', $pair, $found) === 1 && strtolower($found[1]) === 'for') {
                $nodes[] = self::unquote($found[2]);
            }
        }

        return count($nodes) === 1 ? $nodes[0] : '';
    }

    /**
     * @param list<string> $parts
     *
     * @return list<string>
     */
    private static function elements(array $parts): array
    {
        return array_values(array_filter($parts, static fn (string $part): bool => trim($part) !== ''));
    }

    /**
     * Splits where the separator is in no quoted text. It reads from the right: a quote that the sender of the request opened
     * and did not close must not swallow what a trusted proxy appended.
     *
     * @return list<string>
     */
    private static function splitUnquoted(string $text, string $separator): array
    {
        $parts = [];
        $end = strlen($text);
        $isQuoted = false;
        for ($at = strlen($text) - 1; $at >= 0; --$at) {
            if ($text[$at] === '"' && !($isQuoted && self::isEscaped($text, $at))) {
                $isQuoted = !$isQuoted;
            } elseif ($text[$at] === $separator && !$isQuoted) {
                array_unshift($parts, substr($text, $at + 1, $end - $at - 1));
                $end = $at;
            }
        }
        array_unshift($parts, substr($text, 0, $end));

        return $parts;
    }

    private static function isEscaped(string $text, int $at): bool
    {
        $before = substr($text, 0, $at);

        return (strlen($before) - strlen(rtrim($before, '\\'))) % 2 === 1;
    }
}
