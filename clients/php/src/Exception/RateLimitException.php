<?php

declare(strict_types=1);

namespace Gatehouse\Exception;

/** 429 `rate_limit`: the plan's requests per second are used up. */
class RateLimitException extends ApiException
{
}
