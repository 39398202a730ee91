<?php

declare(strict_types=1);

namespace Gatehouse\Exception;

/** 429 `quota_exceeded`: the month's assessments are used up. Never retried. */
class QuotaExceededException extends ApiException
{
}
