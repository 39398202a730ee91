<?php

declare(strict_types=1);

namespace Gatehouse\Exception;

/** No answer: the connection failed, or was lost. */
class ConnectionException extends GatehouseException
{
}
