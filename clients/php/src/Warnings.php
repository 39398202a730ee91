<?php

declare(strict_types=1);

namespace Gatehouse;

/** Says something about the set-up in the log of PHP, once in a process. */
final class Warnings
{
    /** @var array<string, true> */
    private static array $said = [];

    public static function once(string $text): void
    {
        if (isset(self::$said[$text])) {
            return;
        }
        self::$said[$text] = true;
        self::log($text);
    }

    public static function log(string $text): void
    {
        error_log("gatehouse: $text");
    }
}
