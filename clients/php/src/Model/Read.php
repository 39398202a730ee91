<?php

declare(strict_types=1);

namespace Gatehouse\Model;

/** Reads a member of an answer: one that is absent, or of another type, is the zero value of its type. */
final class Read
{
    /** @param array<mixed> $data */
    public static function text(array $data, string $name): string
    {
        return is_string($data[$name] ?? null) ? $data[$name] : '';
    }

    /** @param array<mixed> $data */
    public static function textOrNull(array $data, string $name): ?string
    {
        return is_string($data[$name] ?? null) ? $data[$name] : null;
    }

    /** @param array<mixed> $data */
    public static function integer(array $data, string $name): int
    {
        return is_int($data[$name] ?? null) ? $data[$name] : 0;
    }

    /** @param array<mixed> $data */
    public static function number(array $data, string $name): float
    {
        $value = $data[$name] ?? null;

        return is_int($value) || is_float($value) ? (float) $value : 0.0;
    }

    /** @param array<mixed> $data */
    public static function flag(array $data, string $name): bool
    {
        return ($data[$name] ?? null) === true;
    }

    /** @param array<mixed> $data */
    public static function flagOrNull(array $data, string $name): ?bool
    {
        return is_bool($data[$name] ?? null) ? $data[$name] : null;
    }

    /**
     * @param array<mixed> $data
     *
     * @return array<mixed>
     */
    public static function members(array $data, string $name): array
    {
        return is_array($data[$name] ?? null) ? $data[$name] : [];
    }

    /**
     * @param array<mixed> $data
     *
     * @return list<array<mixed>>
     */
    public static function list(array $data, string $name): array
    {
        return array_values(array_filter(self::members($data, $name), is_array(...)));
    }
}
