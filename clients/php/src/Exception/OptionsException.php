<?php

declare(strict_types=1);

namespace Gatehouse\Exception;

/** The options of the client cannot be used. Thrown by the constructor only. */
class OptionsException extends GatehouseException
{
}
