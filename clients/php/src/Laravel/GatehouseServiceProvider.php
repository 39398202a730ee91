<?php

declare(strict_types=1);

namespace Gatehouse\Laravel;

use Gatehouse\Breaker\FileState;
use Gatehouse\Exception\GatehouseException;
use Gatehouse\Gatehouse;
use Illuminate\Contracts\Foundation\Application;
use Illuminate\Support\ServiceProvider;

/** Makes the one client of a Laravel application from `config/gatehouse.php`. Composer's package discovery finds it. */
final class GatehouseServiceProvider extends ServiceProvider
{
    private const FOLDER = __DIR__ . '/../../laravel';

    public function register(): void
    {
        $this->mergeConfigFrom(self::FOLDER . '/config/gatehouse.php', 'gatehouse');
        $this->app->singleton(Gatehouse::class, static fn (Application $app): Gatehouse => self::createClient($app));
    }

    public function boot(): void
    {
        $this->publishes([self::FOLDER . '/config/gatehouse.php' => $this->app->configPath('gatehouse.php')], 'gatehouse-config');
        $this->publishes([self::FOLDER . '/views' => $this->app->resourcePath('views/vendor/gatehouse')], 'gatehouse-views');
        $this->loadViewsFrom(self::FOLDER . '/views', 'gatehouse');
        $this->app->make('router')->aliasMiddleware('gatehouse', ProtectSignup::class);
    }

    private static function createClient(Application $app): Gatehouse
    {
        $config = $app->make('config')->get('gatehouse');
        $hasApcu = function_exists('apcu_enabled') && apcu_enabled();

        return new Gatehouse(
            url: $config['url'],
            key: $config['key'],
            timeoutMs: (float) $config['timeout_ms'],
            maxRetries: $config['max_retries'],
            // PHP forgets everything after each request.
            breakerState: $hasApcu ? null : new FileState($app->storagePath() . '/framework/gatehouse-breaker.json'),
            trustedProxies: $config['trusted_proxies'],
            onFailure: $config['on_failure'],
            mode: $config['mode'],
            onError: static fn (GatehouseException $error) => $app->make('log')->warning(
                "gatehouse: no verdict for a signup: $error->errorCode: {$error->getMessage()}",
            ),
        );
    }
}
