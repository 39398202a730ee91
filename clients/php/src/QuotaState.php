<?php

declare(strict_types=1);

namespace Gatehouse;

/** How much of the month is used. */
final class QuotaState
{
    /**
     * @param int $used assessments charged this month
     * @param int $limit monthly cap
     */
    public function __construct(public readonly int $used, public readonly int $limit)
    {
    }
}
