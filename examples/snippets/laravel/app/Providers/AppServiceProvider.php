<?php

namespace App\Providers;

use Illuminate\Support\Facades\Route;
use Illuminate\Support\Facades\Schema;
use Illuminate\Support\ServiceProvider;

class AppServiceProvider extends ServiceProvider
{
    public function boot()
    {
        Route::middleware('web')->group(base_path('routes/web.php'));
        if (! Schema::hasTable('users')) {
            Schema::create('users', function ($table) {
                $table->string('email')->unique();
                $table->string('password');
            });
        }
    }
}
