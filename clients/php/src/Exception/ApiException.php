<?php

declare(strict_types=1);

namespace Gatehouse\Exception;

/** The service, or something before it, answered with an error. */
class ApiException extends GatehouseException
{
}
