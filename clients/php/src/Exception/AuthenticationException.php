<?php

declare(strict_types=1);

namespace Gatehouse\Exception;

/** 401 or 403: the key is wrong, was revoked, has expired, or may not be used from this address. */
class AuthenticationException extends ApiException
{
}
