<?php

declare(strict_types=1);

namespace Gatehouse\Exception;

/** Nothing was sent: the last calls failed, and the next trial is not due yet. */
class CircuitOpenException extends GatehouseException
{
}
