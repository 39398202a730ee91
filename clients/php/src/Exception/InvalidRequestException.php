<?php

declare(strict_types=1);

namespace Gatehouse\Exception;

/** 400, 409, 413: the request cannot be used; `param` names the field. The same request fails again. */
class InvalidRequestException extends ApiException
{
}
