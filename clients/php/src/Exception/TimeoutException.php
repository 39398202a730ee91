<?php

declare(strict_types=1);

namespace Gatehouse\Exception;

/** No answer within `timeoutMs`, retries included. */
class TimeoutException extends ConnectionException
{
}
