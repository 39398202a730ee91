<?php

use Illuminate\Foundation\Application;

// Laravel 11 and later.
if (method_exists(Application::class, 'configure')) {
    $app = Application::configure(dirname(__DIR__))
        ->withMiddleware(fn () => null)
        ->withExceptions(fn () => null)
        ->create();
    // The files in config are whole.
    $app->dontMergeFrameworkConfiguration();

    return $app;
}

$app = new Application(dirname(__DIR__));
$app->singleton(Illuminate\Contracts\Http\Kernel::class, App\Http\Kernel::class);
$app->singleton(Illuminate\Contracts\Debug\ExceptionHandler::class, App\Exceptions\Handler::class);

return $app;
