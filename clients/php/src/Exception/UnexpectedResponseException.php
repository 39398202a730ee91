<?php

declare(strict_types=1);

namespace Gatehouse\Exception;

/** The answer did not come from Gatehouse: check the url, and the proxies in front of the service. */
class UnexpectedResponseException extends ApiException
{
}
