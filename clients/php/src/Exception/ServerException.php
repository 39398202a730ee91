<?php

declare(strict_types=1);

namespace Gatehouse\Exception;

/** 500, 502, 503, 504: the service cannot answer now. */
class ServerException extends ApiException
{
}
